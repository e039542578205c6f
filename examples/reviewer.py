"""A reviewer of raw texts that asks a language model: what `ftk text check --reviewer` runs.

    ftk text check rulebook.txt --lang uk --spec fortheking \\
        --reviewer 'python examples/reviewer.py http://localhost:8080/v1 MODEL'

The address is that of any server with chat completions in the form of OpenAI's, on this machine or elsewhere. A key, if
the server wants one, stands in the variable REVIEWER_KEY. The model should have a window of 50,000 tokens or more.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import urllib.error
import urllib.request
from typing import Any


def request(url: str, model: str, question: dict[str, Any]) -> urllib.request.Request:
    """The request that puts a question to a model."""
    task = question.pop("task")
    asked = json.dumps(question, ensure_ascii=False)
    messages = [{"role": "system", "content": task}, {"role": "user", "content": asked}]
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("REVIEWER_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    body = json.dumps({"model": model, "temperature": 0, "messages": messages}).encode()
    return urllib.request.Request(f"{url.rstrip('/')}/chat/completions", body, headers)


def main() -> None:
    parser = argparse.ArgumentParser(description="Asks a language model to review a rulebook text.")
    parser.add_argument("url", help="the address of the server, such as http://localhost:8080/v1")
    parser.add_argument("model", help="the name of the model")
    parser.add_argument("--timeout", type=float, default=600, help="seconds to wait for the answer (default: 600)")
    options = parser.parse_args()
    asked = request(options.url, options.model, json.load(sys.stdin))
    try:
        with urllib.request.urlopen(asked, timeout=options.timeout) as response:
            answer = json.load(response)
        print(answer["choices"][0]["message"]["content"])
    except urllib.error.HTTPError as error:
        sys.exit(f"{options.url} answered {error.code}: {error.read(300).decode('utf-8', 'replace')}")
    except (OSError, ValueError) as error:
        sys.exit(f"{options.url} cannot be asked: {error}")
    except (KeyError, IndexError, TypeError):
        sys.exit(f"{options.url} answered in another form: {str(answer)[:300]}")


if __name__ == "__main__":
    main()
