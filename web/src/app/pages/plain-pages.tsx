import IconCompass from '@tabler/icons-react/dist/esm/icons/IconCompass.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isPartMissing } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { useReloadWhenBack } from '../reload-when-back.ts'

const home = (
  <Link to="/home" className={buttonClass('primary')}>
    Back to Home
  </Link>
)

function Plain({
  title,
  text,
  action = home,
  lock = false,
}: {
  title: string
  text: ReactNode
  action?: ReactNode
  lock?: boolean
}) {
  usePageTitle(title)
  return (
    <>
      <h1 className="unseen">{title}</h1>
      <EmptyState icon={lock ? IconLock : IconCompass} title={title} text={text} action={action} />
    </>
  )
}

export function Forbidden() {
  return <Plain lock title="This is not allowed" text="The server refused what was asked for." />
}

export function NotFound() {
  return <Plain title="There is no such page" text="The address may be mistyped, or what it showed has been deleted." />
}

/** A page that could not be loaded or drawn. */
export function RouteFailed({ error, reset }: ErrorComponentProps) {
  useReloadWhenBack(isPartMissing(error) ? error : undefined)
  const retry = isPartMissing(error) ? () => window.location.reload() : reset
  return <ErrorPanel error={error} name="Page" onRetry={retry} />
}
