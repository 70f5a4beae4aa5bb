import { useEffect, useState } from 'react'
import { withQuery } from '../../../lib/api/api.ts'
import { usePortal } from '../../../lib/portal.tsx'

export interface LogWish {
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
    const query = { container, previous: String(previous), follow: String(follow && !previous), tailLines: 1000 }
    const read = async () => {
      const url = withQuery(`/log/v1/apps/${appId}/pods/${encodeURIComponent(pod)}`, query)
      const response = await fetch(url, {
        signal: abort.signal,
        headers: { authorization: `Bearer ${api.tokens.current() ?? ''}` },
      })
      if (!response.ok || response.body === null) {
        const body = (await response.json().catch(() => undefined)) as { message?: string } | undefined
        throw new Error(body?.message ?? `Status ${response.status}`)
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
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
