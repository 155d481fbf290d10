"""Every recipe there is: the modules under `recipes` are found by themselves."""

import importlib
import pkgutil

from tests.record import recipes
from tests.record.recipe import Recipe


def all_recipes() -> tuple[Recipe, ...]:
    """Return the recipes, by tool and case. Raises ValueError where two have one name."""
    names = sorted(module.name for module in pkgutil.iter_modules(recipes.__path__))
    modules = [importlib.import_module(f"{recipes.__name__}.{name}") for name in names]
    found = sorted((one for module in modules for one in module.RECIPES), key=lambda one: (one.tool, one.case))
    twice = {one.name for one in found if sum(other.name == one.name for other in found) > 1}
    if twice:
        raise ValueError(f"recipes of one name: {', '.join(sorted(twice))}")
    return tuple(found)
