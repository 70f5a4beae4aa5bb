import { type ComponentProps, lazy, Suspense } from 'react'
import type { DiffView } from './diff-view.tsx'
import { Loading } from './loading.tsx'

const Loaded = lazy(() => import('./diff-view.tsx').then((module) => ({ default: module.DiffView })))

/** The diff view, fetched when it is first needed. */
export function LazyDiff(props: ComponentProps<typeof DiffView>) {
  return (
    <Suspense fallback={<Loading card />}>
      <Loaded {...props} />
    </Suspense>
  )
}
