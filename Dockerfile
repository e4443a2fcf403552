# One image for all of hanpan: gateways, Ray's nodes, tools. Runs as nobody in particular, on a root that can be read-only:
# all it writes goes below /tmp, and where `hanpan up` is told with --data.
#
#     docker build -t hanpan:0.1.0 .
#
# The base is a name here, as each registry has digests of its own; give it with one for a build that can be repeated:
#     --build-arg BASE=debian:12-slim@sha256:…
# Debian's own Python, as in the tests: it is built with profile-guided optimisation, which a room notices.
ARG BASE=debian:12-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3.11 python3.11-venv
RUN python3.11 -m venv /opt/hanpan
ENV PATH=/opt/hanpan/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements-image.txt /src/
RUN pip install --only-binary=:all: --require-virtualenv -r /src/requirements-image.txt setuptools==84.2.1
COPY pyproject.toml README.md LICENSE /src/
COPY engines /src/engines
COPY cluster /src/cluster
COPY gateway /src/gateway
COPY ops /src/ops
RUN pip install --no-deps --no-build-isolation /src
# Of Ray, what neither `ray start` nor an actor ever loads: Java, machine learning, the dashboard's pages. 80 MB.
RUN rm -r /opt/hanpan/lib/python3.11/site-packages/ray/jars \
          /opt/hanpan/lib/python3.11/site-packages/ray/rllib \
          /opt/hanpan/lib/python3.11/site-packages/ray/llm \
          /opt/hanpan/lib/python3.11/site-packages/ray/dashboard/client \
    && pip uninstall --yes setuptools pip

FROM ${BASE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3.11 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 hanpan \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin hanpan \
    && install -d -o 10001 -g 10001 /data
COPY --from=build /opt/hanpan /opt/hanpan
ENV PATH=/opt/hanpan/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
WORKDIR /data
EXPOSE 8080
CMD ["hanpan", "--help"]
