import type { ReceivedApiResponse } from '../core/api-types'
import { ResponseErrors } from '../parts/response-errors'
import { CredentialForms } from './credential-forms'
import { COMMON_AUTHENTICATION_SCHEMES } from './schemes'

/** The page when `/openapi.json` cannot be loaded. `retry`: loads it again. */
export function OpenApiLoadFailure({
  response,
  retry,
}: {
  readonly response: ReceivedApiResponse
  readonly retry: () => void
}) {
  const isRefused = response.status === 401 || response.status === 403
  const challenge = response.headers.get('www-authenticate')
  return (
    <div class="authorize-page">
      <h1>{TITLES[response.status] ?? 'The description of the API cannot be loaded'}</h1>
      <p>
        This page reads <code>openapi.json</code>, the description of the API, with your identity.{' '}
        {EXPLANATIONS[response.status] ?? 'The server did not return it.'}
      </p>
      <ResponseErrors response={response} />
      {isRefused && challenge !== null && (
        <p>
          The API asks for: <code>{challenge}</code>
        </p>
      )}
      {isRefused && <Advice />}
      <div class="actions">
        <button type="button" onClick={retry}>
          Try again
        </button>
      </div>
      {isRefused && (
        <section class="authorize-refused" aria-label="Credentials">
          <CredentialForms schemes={COMMON_AUTHENTICATION_SCHEMES} onChange={retry} />
        </section>
      )}
    </div>
  )
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in to see this API',
  403: 'You may not see this API',
}

const EXPLANATIONS: Readonly<Record<number, string>> = {
  401: 'The API does not know who you are (401), or no longer accepts your credentials.',
  403: 'The API does not allow it to you (403).',
}

function Advice() {
  return (
    <ul class="authorize-advice">
      <li>
        If the application has a sign-in page, sign in there in this browser, then try again. Its cookies are sent.
      </li>
      <li>If you have a token, a password or an API key, enter it below.</li>
      <li>Otherwise ask the people who run this API for access.</li>
    </ul>
  )
}
