"""Three changes of Bokeh for the whole process, which make a page cheap.

Each leaves a page the same to the byte; `docs/upstream` has them as patches of its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, wraps
from math import isfinite
from typing import Any

from bokeh.core.has_props import HasProps
from bokeh.core.properties import Dict, List, Set
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.core.property.wrappers import PropertyValueContainer
from bokeh.core.serialization import ArrayRepLike, Ref, Serializer
from bokeh.model import Model
from bokeh.model import util as model_util

from tapviz.live.compat import needs, replace

OURS = "__wrapped__"
"""What a function has that stands in the place of another: Bokeh's own have nothing of the kind."""
PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types of values that refer to nothing."""


@cache
def _container(descriptor: PropertyDescriptor[Any], kind: type[HasProps]) -> Any:
    """Class of a default that is a container of nothing; None for any other."""
    if not isinstance(descriptor.property, Dict | List | Set):
        return None
    default = descriptor.property.themed_default(kind, descriptor.name, None)
    return None if default else type(default)


@needs(
    "bokeh.core.property.descriptors.PropertyDescriptor._get_default",
    "bokeh.core.property.descriptors.PropertyDescriptor.has_unstable_default",
    "bokeh.core.has_props.HasProps._overridden_defaults",
    "bokeh.core.property.wrappers.PropertyValueContainer._register_owner",
)
def remember_defaults() -> None:
    """Have Bokeh work out the defaults of a class of models once, and not for every model.

    A page has some hundred models of some sixty properties each, and Bokeh copies and checks the
    default of each property whenever it is asked for. Defaults that are made anew for each model
    still are, containers of nothing without a check, and so are those of a theme. Without this a
    page takes a third longer to make.
    """
    get_default = getattr(PropertyDescriptor, "_get_default", None)
    has_unstable_default = getattr(PropertyDescriptor, "has_unstable_default", None)
    register = getattr(PropertyValueContainer, "_register_owner", None)
    if not (get_default and has_unstable_default and register):
        return
    if hasattr(get_default, OURS):
        return
    overridden: Any = vars(HasProps).get("_overridden_defaults")
    if isinstance(overridden, classmethod):
        remembered: Any = cache(overridden.__func__)
        replace(HasProps, "_overridden_defaults", classmethod(remembered))
    unstable: dict[tuple[type, str], bool] = {}
    defaults: dict[tuple[type, str], Any] = {}

    @wraps(has_unstable_default)
    def remembered_unstable(self: PropertyDescriptor[Any], model: HasProps) -> bool:
        key = (type(model), self.name)
        if key not in unstable:
            unstable[key] = has_unstable_default(self, model)
        return unstable[key]

    @wraps(get_default)
    def remembered_default(self: PropertyDescriptor[Any], model: HasProps) -> Any:
        if "__themed_values__" in vars(model):
            return get_default(self, model)
        if remembered_unstable(self, model):
            made = getattr(model, "_unstable_default_values", {})
            if self.name in made:
                return made[self.name]
            if (make := _container(self, type(model))) is None:
                return get_default(self, model)
            made[self.name] = make()
            register(made[self.name], model, self)
            return made[self.name]
        key = (type(model), self.name)
        if key not in defaults:
            defaults[key] = get_default(self, model)
        return defaults[key]

    replace(PropertyDescriptor, "has_unstable_default", remembered_unstable)
    replace(PropertyDescriptor, "_get_default", remembered_default)


@needs(
    "bokeh.model.util.visit_immediate_value_references",
    "bokeh.model.util.visit_value_and_its_immediate_references",
    "bokeh.core.has_props.HasProps._property_values",
)
def visit_what_is_set() -> None:
    """Have Bokeh look for models only where there can be one: in what is set, not in defaults.

    For whatever is added to a page Bokeh visits all models of the page, and every property of each
    that could refer to another. Without this a page takes a third longer to make.
    """
    visit_references = getattr(model_util, "visit_immediate_value_references", None)
    visit_value = getattr(model_util, "visit_value_and_its_immediate_references", None)
    if not (visit_references and visit_value) or hasattr(visit_references, OURS):
        return
    properties: dict[type, list[tuple[str, bool]]] = {}

    def properties_of(model: HasProps) -> list[tuple[str, bool]]:
        """Names of those that can refer to a model, and whether their defaults can."""
        kind = type(model)
        if kind not in properties:
            properties[kind] = [
                (name, kind.lookup(name).has_unstable_default(model))
                for name in kind.properties_with_refs()
            ]
        return properties[kind]

    def visit_parts(value: Any, visitor: Callable[[Model], None]) -> None:
        if type(value) is list or isinstance(value, PropertyValueContainer):
            # Columns of data, mostly, of thousands of numbers.
            parts: Any = value.values() if isinstance(value, dict) else value
            for part in parts:
                if type(part) not in PLAIN:
                    visit_parts(part, visitor)
        else:
            visit_value(value, visitor)

    @wraps(visit_references)
    def visit(value: Any, visitor: Callable[[Model], None]) -> None:
        held = getattr(value, "_property_values", None)
        if held is None or "__themed_values__" in vars(value):
            visit_references(value, visitor)
            return
        for name, unstable in properties_of(value):
            if name in held:
                visit_parts(held[name], visitor)
            elif unstable:
                visit_value(getattr(value, name), visitor)

    replace(model_util, "visit_immediate_value_references", visit)


@needs(
    "bokeh.core.serialization.Serializer._references",
    "bokeh.core.serialization.Serializer._encode_list",
    "bokeh.core.serialization.Serializer.get_ref",
)
def encode_quickly() -> None:
    """Have Bokeh make references to those models that a message names, and take columns as a whole.

    It makes one to every model of a page for each message, and looks at each number of a column in
    several ways. Without this a step of a slider takes a tenth longer.
    """
    make = Serializer.__init__
    get_ref = getattr(Serializer, "get_ref", None)
    encode_list = getattr(Serializer, "_encode_list", None)
    if get_ref is None or encode_list is None or hasattr(make, OURS):
        return

    @wraps(make)
    def make_quickly(self: Serializer, *, references: Iterable[Model] = (), **options: Any) -> None:
        make(self, **options)
        models: list[Any] = list(references)
        self._references = dict(zip(map(id, models), models, strict=True))

    @wraps(get_ref)
    def get_ref_quickly(self: Serializer, value: Any) -> Ref | None:
        found = get_ref(self, value)
        return found.ref if isinstance(found, Model) else found

    @wraps(encode_list)
    def encode_list_quickly(self: Serializer, values: list[Any]) -> ArrayRepLike:
        types = set(map(type, values))
        if types == {str} or (types == {float} and isfinite(sum(values))):
            return list(values)
        encoded: ArrayRepLike = encode_list(self, values)
        return encoded

    replace(Serializer, "__init__", make_quickly)
    replace(Serializer, "get_ref", get_ref_quickly)
    replace(Serializer, "_encode_list", encode_list_quickly)
