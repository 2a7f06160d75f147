/** Compiles only for identical types. */
export function same<One, Other>(
  ..._proof: (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2
    ? []
    : ['they differ']
): void {}
