# Explorer and lesson for a class: docker build -t tapviz . && docker run -p 5006:5006 tapviz
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY tapviz tapviz
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[app]" \
    && rm -r /wheels \
    && useradd --create-home --uid 1000 tapviz
USER 1000
WORKDIR /home/tapviz
# Hosts by whose names browsers open the pages; one option each, in the command.
EXPOSE 5006
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:5006/healthz', timeout=5)"]
ENTRYPOINT ["tapviz", "serve", "--address", "0.0.0.0"]
CMD ["--port", "5006", "--allow-origin", "localhost:5006", "--renew-after", "200"]
