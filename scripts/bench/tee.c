/*
 * tee COMMAND [ARGUMENT…]: runs a server and copies its standard input and output, two system calls a hop, one thread a
 * direction. It counts nothing: this is the minimum cost of any program between a client and a server.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024, CANNOT_RUN = 127, SIGNAL_BASE = 128, OURS = 125 };

struct direction {
  int from;
  int to;
  char buffer[BUFFER_BYTES];
};

static struct direction to_server;
static struct direction to_client;

/* True if the call may be repeated: after a signal, or once a non-blocking descriptor is ready. */
static int can_retry(int fd, short event) {
  struct pollfd ready = {fd, event, 0};
  if (errno == EINTR) return 1;
  return errno == EAGAIN && poll(&ready, 1, -1) >= 0;
}

static int write_all(int fd, const char *bytes, ssize_t left) {
  while (left > 0) {
    ssize_t written = write(fd, bytes, left);
    if (written < 0) {
      if (!can_retry(fd, POLLOUT)) return 0;
      continue;
    }
    bytes += written;
    left -= written;
  }
  return 1;
}

/* Copies until the end of its input, or until nothing reads its output; then closes that. */
static void *copy(void *argument) {
  struct direction *direction = argument;
  for (;;) {
    ssize_t count = read(direction->from, direction->buffer, BUFFER_BYTES);
    if (count < 0 && can_retry(direction->from, POLLIN)) continue;
    if (count <= 0 || !write_all(direction->to, direction->buffer, count)) break;
  }
  close(direction->to);
  return NULL;
}

int main(int count, char **arguments) {
  int requests[2], answers[2], status;
  pthread_t thread;
  if (count < 2 || pipe2(requests, O_CLOEXEC) < 0 || pipe2(answers, O_CLOEXEC) < 0) return OURS;
  pid_t server = fork();
  if (server < 0) return OURS;
  if (server == 0) {
    dup2(requests[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    execvp(arguments[1], arguments + 1);
    perror(arguments[1]);
    _exit(CANNOT_RUN);
  }
  close(requests[0]);
  close(answers[1]);
  signal(SIGPIPE, SIG_IGN);
  to_server.from = STDIN_FILENO;
  to_server.to = requests[1];
  to_client.from = answers[0];
  to_client.to = STDOUT_FILENO;
  if (pthread_create(&thread, NULL, copy, &to_server) != 0) return OURS;
  copy(&to_client);
  if (waitpid(server, &status, 0) < 0) return OURS;
  return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNAL_BASE + WTERMSIG(status);
}
