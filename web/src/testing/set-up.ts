import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

/** Milliseconds after which what a test waits for does not come any more: more than a busy machine ever takes. */
configure({ asyncUtilTimeout: 20_000 })

/** Files of one worker share its modules and its document: each test leaves both as it found them. */
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  // Neither is there where a file asks for Node instead of a page.
  globalThis.localStorage?.clear()
  globalThis.sessionStorage?.clear()
})
