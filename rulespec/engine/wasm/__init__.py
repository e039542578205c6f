"""Games as WebAssembly: modules for hosts, and the description that a host reads."""
