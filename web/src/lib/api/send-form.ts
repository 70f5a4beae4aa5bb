import { ApiError } from './api-error.ts'

/** Progress as whole percent. */
function percentOf(loaded: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * loaded) / total)
}

interface Form {
  url: string
  file: File
  headers: Record<string, string>
  signal?: AbortSignal | undefined
  onProgress?: ((percent: number) => void) | undefined
}

/** Sends one file as the multipart field 'file'; XMLHttpRequest because fetch cannot tell how much has gone up. */
export function sendForm({ url, file, headers, signal, onProgress }: Form): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const xhr = new XMLHttpRequest()
    xhr.open('POST', url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (event) => onProgress?.(percentOf(event.loaded, event.total))
    xhr.onload = () => resolve(responseOf(xhr))
    xhr.onerror = () => reject(new ApiError(0, 'The connection was lost during the upload.'))
    xhr.onabort = () => reject(signal?.reason ?? new DOMException('The upload was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    const form = new FormData()
    form.append('file', file, file.name)
    xhr.send(form)
  })
}

function responseOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers({ 'content-type': xhr.getResponseHeader('content-type') ?? 'text/plain' })
  for (const name of ['ticket', 'x-request-id']) {
    const value = xhr.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(xhr.responseText || null, { status: xhr.status, statusText: xhr.statusText, headers })
}
