"""Arrays of drives: queues, stalls, levels of redundancy."""
