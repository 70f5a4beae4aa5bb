import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import type { ValidationResult } from '@quayside/contract/deployments/endpoints'
import { useCallback, useEffect, useState } from 'react'
import { validateValues } from '../../../api/deployments/deployments.ts'
import { isBusy, isPassing } from '../../../lib/api/api-error.ts'
import { pauseOrOnline } from '../../../lib/api/until-answered.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { texts } from '../texts.ts'

export interface Validation {
  validating: boolean
  /** The portal cannot be reached: it is asked again by itself, and there is no verdict meanwhile. */
  isAway: boolean
  result: ValidationResult | undefined
  /** The text that the result is about. */
  yaml: string | undefined
}

/** `again` has the same text judged once more. */
type Judged = Validation & { again: () => void }

const asked: Validation = { validating: true, isAway: false, result: undefined, yaml: undefined }
const away: Validation = { ...asked, isAway: true }
const settleMs = 500
/** Results are shown a second late, so that the verdict does not flicker while somebody types. */
const resultDelayMs = 1000
const longestPauseMs = 5000

/** Lets the server judge the values whenever they have rested; a newer text makes an older verdict void. */
export function useValidation(versionId: string, appMetadata: AppMetadata, yaml: string): Judged {
  const { api } = usePortal()
  const metadata = JSON.stringify(appMetadata)
  const [state, setState] = useState<Validation>(asked)
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((before) => before + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks the same again.
  useEffect(() => {
    const abort = new AbortController()
    let delay: ReturnType<typeof setTimeout> | undefined
    // While somebody types it stays as it is, and nothing is drawn again for it.
    setState((before) => (before.validating ? before : asked))
    const settle = setTimeout(() => {
      const ask = () =>
        validateValues(api, versionId, { appMetadata: JSON.parse(metadata) as AppMetadata, yaml }, abort.signal)
      untilReached(ask, abort.signal, () => setState(away))
        .catch(communicationError)
        .then((result) => {
          if (abort.signal.aborted) return
          delay = setTimeout(() => setState({ validating: false, isAway: false, result, yaml }), resultDelayMs)
        })
    }, settleMs)
    return () => {
      abort.abort()
      clearTimeout(settle)
      clearTimeout(delay)
    }
  }, [api, versionId, metadata, yaml, round])
  return { ...state, again }
}

/** Asks until the portal answers: that nobody was reached is no verdict on the values. */
async function untilReached<T>(ask: () => Promise<T>, signal: AbortSignal, onAway: () => void): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || !(isPassing(error) || isBusy(error))) throw error
      if (isPassing(error)) onAway()
      await pauseOrOnline(Math.min(longestPauseMs, 1000 * 2 ** tries))
      if (signal.aborted) throw error
    }
  }
}

function communicationError(error: unknown): ValidationResult {
  const reason = error instanceof Error && error.message !== '' ? ` (${error.message})` : ''
  return {
    provider: 'portal',
    resultType: 'fatal',
    success: false,
    outside: null,
    remedy: [],
    lines: [{ message: texts.infrastructure.communicationError + reason, isSummary: true, resultType: 'error' }],
  }
}
