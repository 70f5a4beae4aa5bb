import type { GoneApp } from '../../../api/deployments/gone-app.ts'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { texts } from '../texts.ts'

const t = texts.gone

/** The advice for an action whose app has been deleted. */
export function GoneAdvice({ gone: { by, at }, next = t.next }: { gone: GoneApp; next?: string }) {
  return (
    <>
      {by === undefined ? (
        t.gone
      ) : (
        <>
          {t.deletedBy} <bdi>{by}</bdi> {t.deletedIt}
          {at !== null && (
            <>
              {' '}
              <RelativeTime at={at} />
            </>
          )}
          .
        </>
      )}{' '}
      {next}
    </>
  )
}
