// Tells the process that has started jest which test fails first, as soon as it fails.
module.exports = class {
  onTestCaseResult({ path }, { status, fullName, failureMessages }) {
    if (status === 'failed') tell(path, fullName, failureMessages[0])
  }

  onTestFileResult({ path }, { testExecError, failureMessage, numFailingTests }) {
    if (testExecError !== undefined || numFailingTests > 0) tell(path, 'the whole file', failureMessage)
  }
}

function tell(path, test, message) {
  const [line = ''] = String(message).split('\n')
  process.send?.({ path, test, message: line })
}
