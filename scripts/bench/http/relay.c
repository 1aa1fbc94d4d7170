/*
 * relay PORT: listens on a free port of this machine, prints its URL, and copies the bytes of each connection to PORT and
 * back, two system calls a hop, one thread a direction. It reads no HTTP: the least that anything between a client and a
 * server behind a URL can cost.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024, WAITING_MAX = 512, OURS = 125 };

struct direction {
  int from;
  int to;
};

static int server_port;

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static int write_all(int fd, const char *bytes, ssize_t left) {
  while (left > 0) {
    ssize_t written = write(fd, bytes, left);
    if (written <= 0) return 0;
    bytes += written;
    left -= written;
  }
  return 1;
}

/* Copies until the end of its input, or until its output is closed; then ends that. */
static void *copy(void *argument) {
  struct direction *direction = argument;
  char *buffer = malloc(BUFFER_BYTES);
  for (ssize_t count = 0; buffer != NULL;) {
    count = read(direction->from, buffer, BUFFER_BYTES);
    if (count <= 0 || !write_all(direction->to, buffer, count)) break;
  }
  free(buffer);
  shutdown(direction->to, SHUT_WR);
  return NULL;
}

static void *relay(void *argument) {
  int client = (int)(intptr_t)argument, at_once = 1;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(server_port);
  pthread_t thread;
  if (server >= 0 && connect(server, (struct sockaddr *)&address, sizeof address) == 0) {
    struct direction requests = {client, server}, answers = {server, client};
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    if (pthread_create(&thread, NULL, copy, &requests) == 0) {
      copy(&answers);
      shutdown(client, SHUT_RD);
      pthread_join(thread, NULL);
    }
  }
  close(client);
  if (server >= 0) close(server);
  return NULL;
}

int main(int count, char **arguments) {
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (count < 2 || listener < 0) return OURS;
  server_port = atoi(arguments[1]);
  signal(SIGPIPE, SIG_IGN);
  if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, WAITING_MAX) < 0) return OURS;
  if (getsockname(listener, (struct sockaddr *)&address, &size) < 0) return OURS;
  printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    pthread_t thread;
    int client = accept(listener, NULL, NULL);
    if (client < 0) continue;
    if (pthread_create(&thread, NULL, relay, (void *)(intptr_t)client) == 0) pthread_detach(thread);
    else close(client);
  }
}
