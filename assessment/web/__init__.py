"""The frame of every page: base templates, styles, status marks, charts, prose and formulas.

A page starts with ``{% extends "web/base.html" %}{% load i18n web %}``.

Blocks
------
``title`` (required, plain text), ``breadcrumbs``, ``content``, ``scripts`` (in the head, deferred),
``navigation``, ``account``, ``footer``. ``content`` stands in ``<main><div class="frame">``::

    {% block breadcrumbs %}
      <nav class="frame breadcrumbs" aria-label="{% translate 'Breadcrumbs' %}"><ol>
        <li><a href="…">Sessions</a></li><li aria-current="page">Exercise 1</li>
      </ol></nav>
    {% endblock %}
    {% block content %}
      <header class="page-heading"><p class="eyebrow">…</p><h1>…</h1><p class="lead">…</p></header>
      <section class="section stack"><h2>…</h2>…</section>
    {% endblock %}

No inline script, style or ``style=`` attribute anywhere: the content policy refuses them. A page
works without JavaScript; htmx is there (no eval, no ``hx-on``, no trigger filters) and sends the
CSRF token by itself. What a fragment has to announce goes into the live region:
``<p hx-swap-oob="innerHTML:#announcer">Step 2 is wrong.</p>``.

Tags and filters
----------------
``{% step_status "carried" explain=True %}``, ``{% status_mark submission.state %}``,
``{% break_mark submission.break %}`` (empty means not yet tagged), ``{% evidence "hypothesis" %}``,
``{% points value of=maximum %}``, ``{{ value|exact }}``, ``{{ when|local_time:cohort.zone }}``,
``{{ text|prose }}`` or ``{{ text|prose:2 }}`` (Markdown, headings from that level, default 3),
``{{ text|with_formulas:formulas|prose }}`` where a text repeats the session's formulas,
``{{ formula|math }}`` or ``{{ formula|math:"block" }}``, ``{% error_summary form %}``,
``{% nav_link "url-name" label %}``, ``{% drawing "warning" %}``, ``{% bar_chart chart %}``,
``{% change_chart chart %}``.

Forms: ``{{ form }}`` is summary and fields, ``{{ field.as_field_group }}`` one
field; put them in ``<form class="form">`` and the buttons in ``<div class="actions">``. Number
fields get the class ``value-input`` and stay ``type="text"``.

Classes
-------
Layout: ``frame stack stack-tight stack-wide section row row-apart columns columns-two
columns-aside (main, then <aside>) margin-note prose lead eyebrow``.
Buttons: ``button`` with ``button-primary button-danger button-quiet button-small``, ``actions``.
Forms: ``form form-wide field label hint errors optional choice choice-list error-summary confirm
confirm-danger filters value-input``.
Tables: ``stackable`` with ``data-label`` on each ``td`` (cards on a phone; with ``is-wide``
on a tablet too, for six columns and more), or ``div.table-scroll``
(a script makes it focusable while it scrolls); ``number value typed``; ``trace`` (``is-form``, rows
``is-break``, ``trace-feedback``); ``dl.facts``; ``ul.index`` with ``index-end``.
Words: ``notice`` with ``notice-right notice-caution notice-wrong notice-quiet`` and
``notice-title``; ``alarm``/``alarm-title``; ``first-break``; ``waiting`` (with ``role="status"``);
``empty``; ``labelled``/``labelled-title``; ``provisional``; ``pagination``; ``visually-hidden``.

``/design/`` in demo mode shows each with realistic content; its source is ``web/design.html``.
"""
