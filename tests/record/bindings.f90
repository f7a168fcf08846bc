! A ring in both bindings of Fortran: each rank sends 40 bytes to the next, from any source, and reduces in place.
subroutine old
	implicit none
	include 'mpif.h'
	integer :: rank, ranks, request(2), error, status(MPI_STATUS_SIZE), a(10), b(10)
	call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
	call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
	call MPI_IRECV(a, 10, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, request(1), error)
	call MPI_ISEND(b, 10, MPI_INTEGER, mod(rank + 1, ranks), 3, MPI_COMM_WORLD, request(2), error)
	call MPI_WAITALL(2, request, MPI_STATUSES_IGNORE, error)
	call MPI_ALLREDUCE(MPI_IN_PLACE, b, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
	if (rank == 0) call MPI_SEND(a, 5, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, error)
	if (rank == 1) call MPI_RECV(a, 5, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, status, error)
end subroutine

subroutine new
	use mpi_f08
	implicit none
	integer :: rank, ranks, a(10), b(10)
	type(MPI_Request) :: request(2)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks)
	call MPI_Irecv(a, 10, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, request(1))
	call MPI_Isend(b, 10, MPI_INTEGER, mod(rank + 1, ranks), 5, MPI_COMM_WORLD, request(2))
	call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
	call MPI_Allreduce(MPI_IN_PLACE, b, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
end subroutine

program bindings
	use mpi
	implicit none
	integer :: error
	call MPI_INIT(error)
	call old
	call new
	call MPI_FINALIZE(error)
end program
