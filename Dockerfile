# syntax=docker/dockerfile:1
# The page is built with Node, the wheel with Python, and only the wheel and its locked packages are in the last image.
ARG PYTHON=3.13
ARG NODE=24

FROM node:${NODE}-slim AS page
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-fund --no-audit
COPY frontend/ ./
# The page shows the examples that the package holds.
COPY visualizer/examples/ ../visualizer/examples/
RUN npm run build

FROM python:${PYTHON}-slim AS wheel
WORKDIR /build
COPY locks/ locks/
RUN pip install --no-cache-dir --require-hashes -r locks/build.txt
COPY pyproject.toml README.md CHANGELOG.md LICENSE ./
COPY visualizer/ visualizer/
COPY --from=page /build/visualizer/web/static/ visualizer/web/static/
COPY --from=page /build/visualizer/drawing/bundle/ visualizer/drawing/bundle/
RUN python -m build --wheel --no-isolation --outdir /dist . \
 && python -m venv /opt/visualizer \
 && /opt/visualizer/bin/pip install --no-cache-dir --require-hashes -r locks/runtime.txt \
 && /opt/visualizer/bin/pip install --no-cache-dir --no-deps /dist/*.whl

FROM python:${PYTHON}-slim
LABEL org.opencontainers.image.title="jaxpr-visualizer" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin visualizer \
 && install --directory --owner=10001 --group=10001 --mode=700 /data
COPY --from=wheel /opt/visualizer /opt/visualizer
ENV PATH=/opt/visualizer/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    JAXPR_VISUALIZER_DATA=/data \
    JAXPR_VISUALIZER_DATABASE=/data/links.sqlite3
USER 10001:10001
# Short links. Without a volume of a name they end with the container.
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
# Docker's default seccomp profile allows what the sandbox needs (Landlock, seccomp): tier B.
CMD ["jaxpr-visualizer", "serve", "--host", "0.0.0.0", "--port", "8080", "--no-open"]
