"""`ftk language new`: writes the files of a language of the project, with what CLDR has filled in."""

from __future__ import annotations

from pathlib import Path

import click

from ftk_cli import failure, inputs, options
from ftk_cli.language import localized
from ftk_cli.output import emit, replace_all
from rulespec.base.failure import Refusal
from rulespec.base.messages import reason, say
from rulespec.base.project import FOLDER, Project, nearest
from rulespec.editing.language_files.skeleton import new_language
from rulespec.text.languages.registry import use as use_languages

_HOLDS = {
    "language.yaml": say("what the checks need to know of the language"),
    "numerals.yaml": say("number words"),
    "contrasts.yaml": say("wordings of contrasts and negation"),
    "counted.yaml": say("forms of counted nouns"),
    "describe.yaml": say("the grammar of descriptions"),
    "changes.yaml": say("the words for changes"),
    "samples.yaml": say("small texts with what is to be read in them"),
}


@click.command()
@click.argument("tag")
@click.option("--from", "origin", metavar="TAG", help="Show the values of this language as examples, not English ones.")
@options.quiet
@options.verbose
def new(tag: str, origin: str | None, quiet: bool, verbose: bool) -> None:
    """Write the files of a language to specs/languages/TAG: language.yaml, numerals.yaml, contrasts.yaml, samples.yaml.

    TAG is a tag of BCP 47, such as nl, pt-BR or zh-Hant. What CLDR has of the language is filled in; everything else is
    a comment with an explanation and an example. A language that ftk has a record of keeps it: the files only add to
    it. No file is overwritten. Texts in a language that CLDR knows are checked without any file, too.

    \b
    Exit status: 0, or 3 if the files cannot be written.

    \b
    Examples:
      ftk language new nl
      ftk language new be --from uk
      ftk language new pt-BR
    """
    project = nearest() or Project(Path.cwd() / FOLDER)
    use_languages(project.languages)
    try:
        files = new_language(project.languages, tag, origin or "")
    except Refusal as refused:
        raise failure.Failure(reason(refused), refused.hint) from None
    replace_all(files)
    if not quiet:
        emit(_summary(list(files)))


def _summary(paths: list[str]) -> str:
    shown = [inputs.shown(path) for path in paths]
    wide = max(map(len, shown))
    lines = [f"{path:<{wide}}  {localized(_HOLDS[Path(path).name])}" for path in shown]
    tag = Path(paths[0]).parent.name
    steps = {
        f"ftk check {inputs.shown(str(Path(paths[0]).parent))}": say("what is wrong in these files"),
        f"ftk language test {tag}": say("are the samples read as they say?"),
        "ftk language": say("the languages of the project and their levels"),
    }
    wide = max(map(len, steps))
    next_ = (f"  {command:<{wide}}  {localized(does)}" for command, does in steps.items())
    return "\n".join([*lines, "", localized(say("Next:")), *next_])
