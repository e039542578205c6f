"""Machine code into this process. Apart from llvm.py, so that loading what is compiled does not import the compiler."""

from __future__ import annotations

from llvmlite import binding


def machine() -> binding.TargetMachine:
    """This machine, with all its instructions."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=3, jit=True
    )


def loaded(code: bytes) -> binding.ExecutionEngine:
    """Object code ready to be called; `get_function_address` gives where a function begins."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine
