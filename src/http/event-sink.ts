/** Where events of a stream are sent to. */
export interface EventSink {
  /** @param id what a client sends as `Last-Event-ID` when it comes back */
  send(event: string, data: unknown, id?: number): void;
  /** Ends the stream from this side. */
  end(): void;
}
