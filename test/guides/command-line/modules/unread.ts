// Fails like TypeScript in a process without a loader for it.
throw new SyntaxError("Unexpected token ':'")
