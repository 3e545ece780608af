from tests.contract.conftest import exported_model_dir

__all__ = ["exported_model_dir"]
