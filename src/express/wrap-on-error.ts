/** The same, but for what it does wrong itself: that is printed, and ends nothing. */
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
