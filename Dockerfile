# The service's image: one for web, worker, beat and the commands around them.
FROM python:3.12-slim AS packages
COPY requirements.lock /tmp/
RUN python -m venv /packages \
    && /packages/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/requirements.lock

FROM python:3.12-slim
ENV PATH=/packages/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DEMO=0 \
    VAR_DIR=/data \
    STATIC_ROOT=/app/staticfiles
# Volumes mounted on these folders take over their owner.
RUN useradd --system --uid 10001 --user-group --home-dir /app app \
    && install -d -o app -g app /app /data /secrets
COPY --from=packages /packages /packages
WORKDIR /app
COPY manage.py ./
COPY exercises exercises
COPY rubrics rubrics
COPY assessment assessment
# Collecting files needs settings, and settings want these two; nothing keeps them.
RUN SECRET_KEY=for-this-step-only ALLOWED_HOSTS=localhost python manage.py collectstatic --noinput --verbosity 0
USER app
EXPOSE 8000
CMD ["gunicorn", "assessment.config.wsgi:application", "--config", "assessment/config/web_server.py", "--bind", "0.0.0.0:8000", "--workers", "2"]
