"""Reference runs beside a plan, and fits of facts to measurements."""
