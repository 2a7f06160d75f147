// Stands for TypeScript in a process that has nothing to read it.
throw new SyntaxError("Unexpected token ':'")
