import { type ChangedSettings, type ComparedValues, changedSettings } from '@quayside/values/merge/changed-settings'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { useEffect, useMemo, useState } from 'react'

/** Texts of this size are compared between two frames. */
const shortBelow = 32 * 1024

/** The differences between two texts; undefined until they are known, null when one text cannot be read. */
export function useChangedSettings(texts: ComparedValues): ChangedSettings | null | undefined {
  const { before, after, defaults, schema, isMasked = false } = texts
  const isShort = before.length + after.length + defaults.length < shortBelow || typeof Worker === 'undefined'
  const [found, setFound] = useState<ChangedSettings | null>()
  const atOnce = useMemo(
    () => (isShort ? read({ before, after, defaults, schema, isMasked }) : undefined),
    [isShort, before, after, defaults, schema, isMasked],
  )
  useEffect(() => {
    if (isShort) return
    setFound(undefined)
    const worker = new Worker(new URL('./changes-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<ChangedSettings>) => setFound(data))
    worker.addEventListener('error', () => setFound(null))
    worker.postMessage({ before, after, defaults, schema, isMasked })
    return () => worker.terminate()
  }, [isShort, before, after, defaults, schema, isMasked])
  return isShort ? atOnce : found
}

function read(texts: ComparedValues): ChangedSettings | null {
  try {
    return changedSettings(texts)
  } catch (error) {
    if (error instanceof YamlRefused) return null
    throw error
  }
}
