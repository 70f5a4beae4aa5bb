import type { UploadReply } from '@quayside/contract/catalog'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { uploadFile } from '../../lib/api/upload.ts'
import { usePortal } from '../../lib/portal.tsx'

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
  const { api } = usePortal()
  const queries = useQueryClient()
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
      const reply = await uploadFile<UploadReply>(api.tokens, {
        path: '/catalog/v1/upload/uploadasync',
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
      api.forget()
      void queries.invalidateQueries({ queryKey: ['catalog'] })
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
