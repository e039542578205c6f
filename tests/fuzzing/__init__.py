"""A structure-aware fuzzer: mutants of real files, given to the reader of their format.

    from fuzzing.run import fuzz
    result = fuzz("spec", numbers=range(1000), seed=0)

`trees` parses a file into a tree and writes it, `mutations` changes trees and texts, `readers` lists what reads each
format, `run` applies them, `shrink` reduces what fails, `seeded_bugs` measures how much the fuzzer finds.
"""
