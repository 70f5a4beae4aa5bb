import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

/** Milliseconds after which what a test waits for does not come any more: more than a busy machine ever takes. */
configure({ asyncUtilTimeout: 20_000 })

const address = globalThis.location?.href

/** Files of one worker share its modules and its document: each test leaves both as it found them. */
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  // A download leads the document away, to where nothing can be named relative to it.
  if (address !== undefined && !URL.canParse('/', location.href)) goBack(address)
  // Neither is there where a file asks for Node instead of a page.
  globalThis.localStorage?.clear()
  globalThis.sessionStorage?.clear()
})

function goBack(to: string): void {
  const { happyDOM } = globalThis as { happyDOM?: { setURL(url: string): void } }
  happyDOM?.setURL(to)
}
