/** Prints errors that the option `onError` throws itself, so that they don't end the process. */
export function createNonThrowingOnError(onError: (error: unknown) => unknown): (error: unknown) => void {
  return (error) => {
    const print = (another: unknown) => console.error(error, another)
    try {
      const returned = onError(error)
      if (returned instanceof Promise) returned.catch(print)
    } catch (another) {
      print(another)
    }
  }
}
