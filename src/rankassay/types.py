"""Names of the kinds of arrays, as signatures have them."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Integers32 = npt.NDArray[np.int32]
Booleans = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.str_]
