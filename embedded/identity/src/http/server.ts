import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hasUnfitText, isConnectionLoss } from '../storage/database.ts'
import { sendJson } from './exchange.ts'
import { Problem } from './problem.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const away = 'The database of the identity server cannot be reached. Try again in a moment.'

function answerError(res: ServerResponse, error: unknown, report: (error: Error) => void): void {
  if (!(error instanceof Problem) && !hasUnfitText(error))
    report(error instanceof Error ? error : new Error(String(error)))
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (error instanceof Problem) sendJson(res, error.status, error.body)
  else if (hasUnfitText(error))
    sendJson(res, 400, { error: 'invalid_request', error_description: 'A text holds a character that cannot be kept.' })
  else if (isConnectionLoss(error))
    sendJson(res, 503, { error: 'temporarily_unavailable', error_description: away }, { 'retry-after': '1' })
  else
    sendJson(res, 500, { error: 'unknown_error', error_description: 'For more on this error consult the server log.' })
}

/** An HTTP server on which one slow or broken request never troubles the others. */
export async function listen(
  handler: Handler,
  port: number,
  host: string,
  report: (error: Error) => void,
): Promise<Server> {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (req, res) => {
      handler(req, res).catch((error: unknown) => answerError(res, error, report))
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return server
}

/** Stops listening, lets running answers finish for a moment, then closes what is left. */
export async function stop(server: Server, graceMs = 2_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
