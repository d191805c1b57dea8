"""Questions that are answered by searching over plans."""
