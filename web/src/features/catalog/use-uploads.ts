import { useCallback, useState } from 'react'
import { useUploadPackage } from '../../api/catalog/items.ts'

export interface Upload {
  id: number
  name: string
  percent: number
  state: 'running' | 'done' | 'failed'
  message: string
  abort: AbortController
}

let nextId = 1

/** Packages on their way up, each with its progress and how it ended. */
export function useUploads() {
  const send = useUploadPackage()
  const [uploads, setUploads] = useState<readonly Upload[]>([])

  const change = useCallback((id: number, part: Partial<Upload>) => {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  }, [])

  const start = async (file: File) => {
    const upload: Upload = {
      id: nextId++,
      name: file.name,
      percent: 0,
      state: 'running',
      message: '',
      abort: new AbortController(),
    }
    setUploads((all) => [...all, upload])
    try {
      const reply = await send({
        file,
        signal: upload.abort.signal,
        onProgress: (percent) => change(upload.id, { percent }),
      })
      change(upload.id, {
        state: 'done',
        percent: 100,
        message: reply.unchanged
          ? `${reply.name} ${reply.version} was there already.`
          : `${reply.name} ${reply.version} is in the catalog.`,
      })
    } catch (error) {
      if (upload.abort.signal.aborted) return dismiss(upload.id)
      const reason = error instanceof Error ? error.message : String(error)
      change(upload.id, { state: 'failed', message: `Upload of ${file.name} failed! (${reason})` })
    }
  }
  const dismiss = (id: number) =>
    setUploads((all) => {
      all.find((upload) => upload.id === id && upload.state === 'running')?.abort.abort()
      return all.filter((upload) => upload.id !== id)
    })

  return {
    uploads,
    /** One after the other, so that each has the whole line. */
    async add(files: readonly File[]) {
      for (const file of files) await start(file)
    },
    dismiss,
  }
}
