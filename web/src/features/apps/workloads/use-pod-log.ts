import { useEffect, useState } from 'react'
import { readPodLog } from '../../../api/workloads.ts'
import { usePortal } from '../../../lib/portal.tsx'

interface LogWish {
  container: string | undefined
  previous: boolean
  follow: boolean
}

const maxShown = 200_000

/** The log of a pod, read as it comes; the oldest part goes when it gets very long. */
export function usePodLog(appId: string, pod: string, { container, previous, follow }: LogWish) {
  const { api } = usePortal()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    setText('')
    setError(undefined)
    const read = async () => {
      const reader = await readPodLog(api, { appId, pod, container, previous, follow }, abort.signal)
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        setText((before) => (before + value).slice(-maxShown))
      }
    }
    read().catch((reason: unknown) => {
      if (!abort.signal.aborted) setError(reason instanceof Error ? reason.message : String(reason))
    })
    return () => abort.abort()
  }, [api, appId, pod, container, previous, follow])
  return { text, error }
}
