import { createRoot } from 'react-dom/client'
import { ApiError } from '../lib/api/api-error.ts'
import { App } from './app.tsx'
import { StartFailed } from './pages/start-failed.tsx'
import { noteStarted } from './reload-when-back.ts'
import { startPortal } from './start-portal.ts'

const place = document.getElementById('root')
if (place === null) throw new Error('The page has no place to draw into.')

/** Until the person is signed in the static frame of index.html stays on the screen. */
async function show(into: HTMLElement) {
  try {
    const portal = await startPortal()
    if (portal === 'leaving') return
    createRoot(into).render(<App portal={portal} />)
    noteStarted()
  } catch (error) {
    const unreachable = error instanceof TypeError ? new ApiError(0, error.message) : error
    createRoot(into).render(<StartFailed error={unreachable} />)
  }
}

void show(place)
