"""Buckets and caps."""

from __future__ import annotations

import pytest

from gateway.limits import Bucket, Buckets, Caps, Rate, address_key, client_address


def test_a_bucket_gives_its_burst_and_then_its_rate():
    bucket = Bucket(Rate(2, 3), 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait() == 0.5
    assert bucket.take(100.5)
    assert not bucket.take(100.5)
    assert [bucket.take(1_000.0) for _ in range(4)] == [True, True, True, False]


def test_a_rate_of_zero_is_no_limit():
    bucket = Bucket(Rate(0, 0), 0.0)
    assert all(bucket.take(0.0, 1e9) for _ in range(100))
    assert bucket.wait() == 0.0


def test_each_key_has_its_own_bucket_and_the_oldest_is_forgotten():
    buckets = Buckets(Rate(1, 1), remembered=2)
    assert buckets.take("a", 0.0) == 0.0
    assert buckets.take("a", 0.0) == 1.0
    assert buckets.take("b", 0.0) == 0.0
    assert buckets.take("a", 0.5) == 0.5  # seen again: now b is the oldest
    assert buckets.take("c", 0.5) == 0.0
    assert len(buckets) == 2
    assert buckets.take("b", 0.5) == 0.0


def test_caps_count_all_and_each():
    caps = Caps(total=3, per_key=2)
    caps.enter("a")
    assert caps.full("a") is None
    caps.enter("a")
    assert caps.full("a") == "key"
    assert caps.full("b") is None
    caps.enter("b")
    assert caps.full("c") == "total"
    for key in "aab":
        caps.leave(key)
    assert caps.open == 0
    assert caps.full("a") is None


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("somewhere", "unknown"),
    ],
)
def test_what_counts_as_one_address(address: str, key: str):
    assert key == address_key(address)


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        ("1.1.1.1", 0, "10.0.0.1"),  # we have no proxy: whoever wrote this is not to be believed
        ("1.1.1.1, 2.2.2.2", 1, "2.2.2.2"),
        ("1.1.1.1, 2.2.2.2", 2, "1.1.1.1"),
        ("2.2.2.2", 2, "10.0.0.1"),
        ("", 1, "10.0.0.1"),
    ],
)
def test_a_client_cannot_choose_its_address(forwarded: str, proxies: int, address: str):
    assert address == client_address("10.0.0.1", forwarded, proxies)
