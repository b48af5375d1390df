//! A connection whose other end has to read what it is sent.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use crate::intake::Intake;

/// A connection that fails when nothing of what is written was taken for some time, and reads only what there is
/// memory for.
pub(crate) struct Stream {
    inner: TcpStream,
    intake: Arc<Intake>,
    patience: Duration,
    /// When patience ends; set while a write waits.
    deadline: Pin<Box<Sleep>>,
    waits: bool,
}

impl Stream {
    /// The connection, the memory of what comes over it, and for how long a write may wait.
    pub(crate) fn new(inner: TcpStream, intake: Arc<Intake>, patience: Duration) -> Self {
        Self {
            inner,
            intake,
            patience,
            deadline: Box::pin(sleep(patience)),
            waits: false,
        }
    }

    /// Passes on what a write said, unless it has waited for too long.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waits = false;
            return result;
        }
        if !self.waits {
            self.waits = true;
            self.deadline.as_mut().reset(Instant::now() + self.patience);
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.intake.poll_memory(context))?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.inner).poll_read(context, buffer))?;
        this.intake.note(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_write(context, bytes);
        this.judge(context, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_write_vectored(context, slices);
        this.judge(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::*;
    use crate::bodies::Bodies;

    #[tokio::test]
    async fn a_reader_who_does_not_read_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let lazy = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (inner, _) = listener.accept().await.unwrap();
        let patience = Duration::from_millis(50);
        let mut stream = Stream::new(inner, Intake::new(Bodies::new(0), patience), patience);
        let chunk = vec![0; 1 << 20];
        let error = loop {
            if let Err(error) = stream.write_all(&chunk).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(lazy);
    }
}
