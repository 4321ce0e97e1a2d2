"""A request that anybody can send to a server with rows: how it is made, and what should be answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from tests.kit.site import Site

JSON: Final = "application/json"


@dataclass(frozen=True)
class Case:
    """One request.

    Attributes:
        name: Method and name of the route, and what tells it from others of the same route.
        prepare: Makes what is needed, and returns what sends the request.
        status: What the answer should be.
    """

    name: str
    prepare: Callable[[Site], Callable[[], HttpResponse]]
    status: int = HTTPStatus.OK


def get(route: str, *arguments: object, by: str = "", query: str = "", status: int = HTTPStatus.OK) -> Case:
    """A request that only reads; ``by`` names the client: a program, an owner, an operator, or nobody."""

    def prepare(site: Site) -> Callable[[], HttpResponse]:
        filled = [getattr(site, one[1:]).pk if str(one).startswith("@") else one for one in arguments]  # type: ignore[index] # a text
        address = reverse(route, args=filled) + query
        users = {"": None, "owner": site.user, "operator": site.staff}
        client = site.api if by == "program" else site.browser(users[by])
        return lambda: client.get(address)  # type: ignore[return-value] # the client's own class

    marks = [*[str(one).removeprefix("@") for one in arguments if str(one).startswith("@")], query, by]
    return Case(" ".join(["GET", route, *filter(None, marks)]), prepare, status)


def post(  # noqa: PLR0913 - a request has these parts
    name: str,
    client: Callable[[Site], Client],
    data: Callable[[Site], dict[str, Any]],
    *,
    route: str = "",
    status: int = HTTPStatus.FOUND,
    content_type: str | None = None,
) -> Case:
    def prepare(site: Site) -> Callable[[], HttpResponse]:
        sender, body = client(site), data(site)
        address = reverse(route or name.split()[1], args=body.pop("@", ()))
        given: dict[str, Any] = {} if content_type is None else {"content_type": content_type}
        return lambda: sender.post(address, body, **given)  # type: ignore[return-value] # as above

    return Case(name, prepare, status)


def send(route: str, data: Callable[[Site], dict[str, Any]], status: int = HTTPStatus.OK) -> Case:
    """A request of a program with a token."""
    return post(f"POST {route}", lambda site: site.api, data, status=status, content_type=JSON)


def fill_in(
    route: str, data: Callable[[Site], dict[str, Any]], by: str = "user", status: int = HTTPStatus.FOUND
) -> Case:
    """A form that the user, the staff or nobody sends."""
    return post(f"POST {route}", lambda site: site.browser(getattr(site, by, None)), data, status=status)
