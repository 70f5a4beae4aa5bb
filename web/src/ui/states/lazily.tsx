import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react'
import { ErrorPanel } from './error-panel.tsx'

/**
 * A part of a page that is fetched when it is first drawn. Where that fails it says so in its own place and can be
 * fetched again: what was typed around it stays.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
): ComponentType<Props> {
  const fetched = () => lazy<ComponentType<Props>>(async () => ({ default: await load() }))
  let part = fetched()
  return function Lazily(props: Props) {
    const [tries, setTries] = useState(0)
    const again = () => {
      part = fetched()
      setTries(tries + 1)
    }
    return (
      <Contained key={tries} onRetry={again}>
        <Suspense fallback={waiting}>{createElement<Props>(part, props)}</Suspense>
      </Contained>
    )
  }
}

interface ContainedProps {
  children: ReactNode
  onRetry: () => void
}

class Contained extends Component<ContainedProps, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { children, onRetry } = this.props
    return 'error' in this.state ? <ErrorPanel error={this.state.error} onRetry={onRetry} /> : children
  }
}
