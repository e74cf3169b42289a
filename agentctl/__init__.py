"""agentctl runs a durable team of language-model agents from one YAML file."""
