"""A whole cluster in one loop: rooms are created, played, killed and brought back."""

from __future__ import annotations

import asyncio

from tests.cluster.mini import mini_cluster, start_game, until


async def test_a_game_is_played_to_its_end():
    async with mini_cluster() as mini:
        _, (anna, bob) = await start_game(mini)
        for turn in range(5):
            player = (anna, bob)[turn % 2]
            decision = await player.my_turn()
            answer = await player.do("action", decision=decision, action={"type": "light", "colour": "red"})
            assert answer["type"] == "ack"
        await until(lambda: bob.room["status"] == "finished")
        assert bob.view["lamps"] == ["anna", "bob", "anna", "bob", "anna"]
        assert "secret" in bob.view
        assert "deadline" not in bob.view


async def test_a_killed_room_goes_on_and_the_socket_stays():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        await anna.do("action", decision=await anna.my_turn(), action={"type": "light", "colour": "red"})
        before = bob.view
        mini.kill_owner(room)
        await until(lambda: anna.resumes and bob.resumes)
        assert bob.view == before
        answer = await bob.do("action", decision=await bob.my_turn(), action={"type": "light", "colour": "blue"})
        assert answer["type"] == "ack"
        await until(lambda: anna.view["lamps"] == ["anna", "bob"])
        assert anna.bye is None


async def test_an_action_under_way_when_the_room_dies_is_done_once():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        decision = await anna.my_turn()
        mini.kill_owner(room)
        id = anna.say("action", decision=decision, action={"type": "light", "colour": "red"})
        answer = await anna.answer(id)
        assert answer["type"] == "ack"
        await until(lambda: bob.view["lamps"] == ["anna"])
        assert (await anna.do("action", id=id, decision=decision, action={"type": "light", "colour": "red"})) == answer


async def test_create_with_the_same_key_is_the_same_room():
    async with mini_cluster() as mini:
        from cluster.client import CreateRoom

        wish = CreateRoom(game="lamps", creator="anna", key="once")
        first, second = await asyncio.gather(mini.gateway.create(wish), mini.gateway.create(wish))
        assert first.id == second.id
