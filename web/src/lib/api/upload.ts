import type { TokenSource } from './api.ts'
import { ApiError } from './api-error.ts'
import { readResponse } from './read-response.ts'

/** Progress as whole percent (section 5). */
export function percentOf(loaded: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * loaded) / total)
}

export interface UploadOptions {
  path: string
  file: File
  signal?: AbortSignal
  onProgress?: (percent: number) => void
}

/** Sends one file as the multipart field 'file'; XMLHttpRequest because fetch cannot tell how much has gone up. */
export async function uploadFile<T>(tokens: TokenSource, options: UploadOptions): Promise<T> {
  const token = tokens.current()
  if (token === undefined) {
    tokens.lost('missing')
    throw new ApiError(401, 'Nobody is signed in.')
  }
  return readResponse<T>(await sendForm(token, options))
}

function sendForm(token: string, { path, file, signal, onProgress }: UploadOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('POST', path)
    xhr.setRequestHeader('authorization', `Bearer ${token}`)
    xhr.upload.onprogress = (event) => onProgress?.(percentOf(event.loaded, event.total))
    xhr.onload = () => {
      const headers = { 'content-type': xhr.getResponseHeader('content-type') ?? 'text/plain' }
      resolve(new Response(xhr.responseText || null, { status: xhr.status, statusText: xhr.statusText, headers }))
    }
    xhr.onerror = () => reject(new ApiError(0, 'The connection was lost during the upload.'))
    xhr.onabort = () => reject(signal?.reason ?? new DOMException('The upload was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    const form = new FormData()
    form.append('file', file, file.name)
    xhr.send(form)
  })
}
