//! Lets the linker leave the symbols of Python open, which macOS would refuse; other systems need nothing.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
