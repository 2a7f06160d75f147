// Sends failed tests to the parent process immediately.
module.exports = class {
  onTestCaseResult({ path }, { status, fullName, failureMessages }) {
    if (status === 'failed') report(path, fullName, failureMessages[0])
  }

  onTestFileResult({ path }, { testExecError, failureMessage, numFailingTests }) {
    if (testExecError !== undefined || numFailingTests > 0) report(path, 'the whole file', failureMessage)
  }
}

function report(path, test, message) {
  const [line = ''] = String(message).split('\n')
  process.send?.({ path, test, message: line })
}
