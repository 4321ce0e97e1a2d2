# One image for web, worker, sweeper and bootstrap; only their commands differ (docker-compose.yml). The GPU worker has an
# image of its own, since cupy is large: build this file with `--build-arg REQUIREMENTS=requirements-cuda.lock`.
FROM python:3.11-slim-bookworm AS build
ARG REQUIREMENTS=requirements.lock
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY requirements.lock requirements-cuda.lock requirements-build.lock ./
RUN python -m venv /opt/venv \
    && python -m pip install --require-hashes -r requirements-build.lock \
    && /opt/venv/bin/python -m pip install --require-hashes -r "$REQUIREMENTS" \
    # libLLVM's links are made at the first start of Python after its installation.
    && /opt/venv/bin/python -c pass
COPY pyproject.toml README.md LICENSE ./
COPY envs envs
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/venv/bin/python -m pip install --no-deps /wheels/*.whl

FROM python:3.11-slim-bookworm
# libLLVM's C++ library needs libatomic. GCC's build is pinned, for its environment; another one would not be accepted.
RUN apt-get -qq update \
    && apt-get -qq install --yes --no-install-recommends libatomic1 \
        cpp-12=12.2.0-14+deb12u1 binutils-x86-64-linux-gnu=2.40-2 libbinutils=2.40-2 libctf0=2.40-2 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin optarena \
    && install -d -o optarena -g optarena /srv/optarena/blobs /srv/optarena/data
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY manage.py LICENSE ./
# The manual, and the sources that it names.
COPY README.md AGENTS.md llms.txt ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md THREAT_MODEL.md ./
COPY docs docs
COPY examples examples
COPY baselines baselines
COPY datasets datasets
COPY runner runner
COPY leaderboard leaderboard
COPY docker/entrypoint docker/secrets /usr/local/bin/
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    USER=optarena \
    HOME=/tmp \
    OPTARENA_BLOB_ROOT=/srv/optarena/blobs \
    OPTARENA_DATA_ROOT=/srv/optarena/data \
    OPTARENA_STATIC_ROOT=/app/staticfiles \
    OPTARENA_LOG_FORMAT=json
# Nobody can write compiled modules later.
RUN python -m compileall -q datasets runner leaderboard && python manage.py collectstatic --no-input
USER optarena
EXPOSE 8000
ENTRYPOINT ["entrypoint"]
CMD ["python", "-m", "leaderboard.web_server", "--bind", "0.0.0.0:8000"]
