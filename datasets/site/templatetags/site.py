"""Tags and filters of all templates: navigation and footer, and how numbers are written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.core.exceptions import DisallowedHost
from django.template.base import Parser, Token
from django.template.context import Context
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from datasets.site import formats, navigation
from datasets.site.formats import user_text
from optarena.specs.rewards import level_text

register = template.Library()
register.filter(user_text)
for _written in (
    *(formats.score, formats.signed_percent, formats.small_percent, formats.number, formats.duration),
    *(formats.iso, formats.day, formats.moment),
):
    register.filter(_written)


@register.filter
def level(name: str | None) -> str:
    """A compiler's own level as people write it: ``-O2``, but ``LPT``."""
    return level_text(name) if name else formats.NOTHING


@register.filter
def ago(moment: datetime) -> SafeString:
    """How long ago it was; pointing at it shows the time."""
    when = formats.moment(moment, "seconds")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', formats.iso(moment), when, naturaltime(moment)
    )


@register.simple_tag(takes_context=True)
def layout(context: Context) -> navigation.Layout:
    return navigation.layout(getattr(context.get("request"), "path", ""))


@register.simple_tag(takes_context=True)
def page_address(context: Context) -> str:
    # Without its query; empty where the request names no host of this server.
    request = context.get("request")
    try:
        return str(request.build_absolute_uri(request.path)) if request else ""
    except DisallowedHost:  # this page says so
        return ""


@register.tag
def named(parser: Parser, token: Token) -> Named:
    # `{% named word %}…{% endnamed %}` draws what is inside once, for use as `{{ word }}` below: a block may
    # stand in one place only.
    _, name = token.split_contents()
    inside = parser.parse(("endnamed",))
    parser.delete_first_token()
    return Named(name, inside)


class Named(template.Node):
    def __init__(self, name: str, nodelist: template.NodeList) -> None:
        self.name = name
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        context[self.name] = mark_safe(self.nodelist.render(context).strip())  # noqa: S308 - drawn by templates, which escape
        return SafeString("")


@register.filter
def badge(state: object, label: object = None) -> SafeString:
    # A filter, since an included template costs several times as much, and tables have one in each row.
    return format_html('<span class="badge" data-state="{}">{}</span>', state, label or state)


@register.simple_tag
def circles(dots: Iterable[tuple[float, float, str]], radius: int, colour: str = "") -> SafeString:
    # A loop in a template takes many times as long.
    begun, size = f'<circle class="{escape(colour)}"', f'r="{radius:g}"'
    drawn = (
        f'{begun} cx="{x:g}" cy="{y:g}" {size}><title>{escape(title)}</title></circle>'
        for x, y, title in dots
    )
    return mark_safe("".join(drawn))  # noqa: S308 - numbers, and texts that are escaped


@register.filter
def with_code(text: str) -> SafeString:
    # Words between backquotes are code: texts of the API have no other mark-up.
    parts = enumerate(text.split("`"))
    drawn = ((format_html("<code>{}</code>", part) if place % 2 else part,) for place, part in parts)
    return format_html_join("", "{}", drawn)


@register.filter
def get(mapping: dict[str, object] | None, key: str) -> object:
    return (mapping or {}).get(key, "")
