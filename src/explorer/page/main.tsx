import { render } from 'preact'
import { startNavigation } from './core/navigation'
import { App } from './shell/app'

startNavigation()
render(<App />, document.body)
