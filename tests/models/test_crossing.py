"""Where rising laws come to a share: the least number that does, at any order of magnitude."""

import numpy as np
import pytest

from models._crossing import least_reaching, powers_reaching


@pytest.mark.parametrize("scale", [1e-3, 0.7, 1.0, 5e3, 2.0**32, 1e20, 1e300])
@pytest.mark.parametrize("shares", [0.25, [0.1, 0.5, 0.9], np.linspace(0.01, 0.99, 3000)])
def test_the_least_number_is_found_and_none_before_it(scale, shares):
    shares = np.asarray(shares)

    def law(numbers):
        return np.minimum(numbers / scale, 1.0)

    upper = powers_reaching(law, shares, most=1023)
    found = least_reaching(law, shares, upper)
    assert np.all(law(upper) >= shares)
    assert np.all((upper == 1) | (law(upper / 2) < shares))
    assert np.all(law(found) >= shares)
    near = np.maximum(np.spacing(found), upper * 2.0**-59)
    assert np.all(law(found - near) < shares)


def test_a_share_that_a_law_never_reaches_has_no_power():
    powers = powers_reaching(lambda x: np.minimum(x / 100, 0.5), np.array([0.3, 0.6]), most=60)
    assert powers.tolist() == [32, np.inf]
