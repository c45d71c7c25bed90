"""What is public: signatures agree with each other, results have types, examples run."""

import doctest
import importlib
import inspect
import pickle
import pkgutil
from pathlib import Path

import pytest

import tapviz
from tapviz import measures

FUNCTIONS = {
    name: value for name in measures.__all__ if inspect.isfunction(value := getattr(measures, name))
}
MODULES = [
    "tapviz",
    *(f"tapviz.lists.{name}" for name in ("align", "derived", "lists")),
    *sorted({f.__module__ for f in FUNCTIONS.values()}),
]


def test_all_that_a_module_of_measures_has_for_users_is_in_the_package():
    public = {
        name: getattr(module, name)
        for found in pkgutil.iter_modules(measures.__path__)
        for module in [importlib.import_module(f"tapviz.measures.{found.name}")]
        for name in getattr(module, "__all__", ())
    }
    assert measures.__all__ == sorted(public)
    assert all(getattr(measures, name) is value for name, value in public.items())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_k_and_n_are_given_by_keyword(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    for option in {"k", "n", "max_k", "n_resamples", "ties", "short_lists"} & set(parameters):
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY, option
    if "short_lists" in parameters:
        assert parameters["short_lists"].default == "error"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_measure_has_an_example(name):
    assert "\nExamples\n--------\n>>> " in inspect.getdoc(FUNCTIONS[name])


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        output = []
        doctest.DocTestRunner().run(test, out=output.append)
        assert not output, "".join(output)


def test_few_names_are_at_the_top_with_the_types_of_their_results():
    assert len(tapviz.__all__) < 40
    for name in tapviz.__all__:
        function = getattr(tapviz, name)
        if not inspect.isfunction(function) or function.__module__ not in MODULES:
            continue
        returned = str(inspect.signature(function).return_annotation)
        if returned.isidentifier() and hasattr(measures, returned):
            assert returned in tapviz.__all__, name


def test_types_are_for_users_too():
    assert (Path(tapviz.__file__).parent / "py.typed").is_file()


def test_results_can_be_pickled():
    results = tapviz.load_results("profiles")
    for each in (
        tapviz.tap_k(results["RPS-BLAST"], k=5),
        tapviz.tap_curve(results["RPS-BLAST"]),
        tapviz.roc_n(results["RPS-BLAST"]),
        tapviz.bootstrap(results, k=5, n_resamples=20),
    ):
        assert repr(pickle.loads(pickle.dumps(each))) == repr(each)  # noqa: S301  # our own
