/** Wraps `onError`, so that an error that it throws is printed and does not end the process. */
export function wrapOnError(report: (error: unknown) => unknown): (error: unknown) => void {
  return (error) => {
    const print = (another: unknown) => console.error(error, another)
    try {
      const told = report(error)
      if (told instanceof Promise) told.catch(print)
    } catch (another) {
      print(another)
    }
  }
}
