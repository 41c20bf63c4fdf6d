# The workflow on a minimal Debian, with the packages of the lock:
#     docker build --tag rankassay .
#     docker run --rm --volume "$PWD:/work" --user "$(id -u):$(id -g)" rankassay run --configfile demo
# Nothing runs as root, and whoever runs it cannot change the code. `.ci/container` builds it and runs
# the demo in it.
FROM debian:trixie-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libgomp1 python3-venv \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/rankassay
COPY requirements.lock ./
RUN python3 -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --require-hashes -r requirements.lock \
    && cp requirements.lock .venv/
COPY . .
RUN .venv/bin/python -m compileall -q src \
    && useradd user \
    && install --directory --owner user /work

# What numba compiles, and what others keep, has a place that any user may write to.
ENV HOME=/tmp NUMBA_CACHE_DIR=/tmp/numba
USER user
WORKDIR /work
ENTRYPOINT ["/opt/rankassay/run", "rankassay"]
CMD ["--help"]
